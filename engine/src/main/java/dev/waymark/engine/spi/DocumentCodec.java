package dev.waymark.engine.spi;

/**
 * The conversion that every stored document passes through on its way in and out. Identity now;
 * encryption has its place here.
 */
public interface DocumentCodec {

  DocumentCodec IDENTITY =
      new DocumentCodec() {
        @Override
        public String encode(String document) {
          return document;
        }

        @Override
        public String decode(String stored) {
          return stored;
        }
      };

  String encode(String document);

  String decode(String stored);
}

package dev.waymark.proof.program;

import java.util.List;
import java.util.Random;

/** Lots drawn from one seed. */
final class Draw {

  private final Random random;

  Draw(long seed) {
    this.random = new Random(seed);
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  long small() {
    return random.nextInt(5);
  }

  <T> T one(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}

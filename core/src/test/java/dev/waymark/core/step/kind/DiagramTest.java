package dev.waymark.core.step.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.diagram.Mermaid;
import dev.waymark.core.diagram.Svg;
import dev.waymark.core.step.Play;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Definitions and runs as pictures. */
final class DiagramTest {

  private static final String FLOW =
      """
        a: { type: set, next: [{ when: "Variables.n > 1", to: w }, { to: s }] }
        w:
          type: wait
          on: { timeout: { after: P1D, to: w2, interrupt: false } }
          next: s
        w2: { type: work }
        s:
          type: scope
          start: inner
          activities:
            inner: { type: work, compensate: undo, next: inner2 }
            undo: { type: work }
            inner2: { type: work, on: { error: { fail: true } } }
          next: a
      """;

  @Test
  void a_definition_as_mermaid() {
    assertThat(Mermaid.of(Play.of("a", FLOW).definition))
        .isEqualTo(
            """
            flowchart TD
              n0((" "))
              n1["a<br/>set"]
              n2("w<br/>wait · user-action")
              n3["w2<br/>work"]
              subgraph n4["s<br/>scope"]
                n5((" "))
                n6["inner<br/>work"]
                n7["undo<br/>work"]
                n8["inner2<br/>work<br/>⚠ any error: fails"]
              end
              n0 --> n1
              n1 -->|"Variables.n #62; 1"| n2
              n1 --> n4
              n2 --> n4
              n2 -.->|"⏱ P1D (beside)"| n3
              n4 --> n1
              n5 --> n6
              n6 --> n8
              n6 -.->|"undone by"| n7
            """);
  }

  @Test
  void a_definition_as_an_image_has_all_boxes_and_arrows() {
    Document image = parsed(Svg.of(Play.of("a", FLOW).definition));

    assertThat(texts(image))
        .contains("a", "w", "w2", "s", "inner", "undo", "inner2")
        .contains("Variables.n > 1", "⏱ P1D (beside)", "undone by", "⚠ any error: fails");
    // Each arrow is a line and a head; two of the boxes are the marks of a start.
    assertThat(image.getElementsByTagName("path").getLength()).isEqualTo(2 * 9);
    assertThat(image.getElementsByTagName("circle").getLength()).isEqualTo(2);
    assertThat(image.getElementsByTagName("rect").getLength()).isEqualTo(7);
  }

  @Test
  void the_same_definition_is_the_same_picture() {
    assertThat(Svg.of(Play.of("a", FLOW).definition))
        .isEqualTo(Svg.of(Play.of("a", FLOW).definition));
  }

  @Test
  void a_run_is_shown_in_it_with_what_waits_runs_is_stuck_and_is_done() {
    Play play = Play.of("a", FLOW).start(Map.of("n", 1)).complete("inner");
    Play stuck =
        Play.of(
                "f",
                """
                  f: { type: fork, with: { branches: [t, w] } }
                  t: { type: timer, with: { after: "${ Variables.x }" } }
                  w: { type: work }
                """)
            .start(Map.of("x", 5));

    String image = Svg.of(stuck.definition, stuck.live());

    assertThat(texts(parsed(image))).contains("parked", "running", "waiting");
    assertThat(image).contains("#dc2626");
    assertThat(Mermaid.of(stuck.definition, stuck.live()))
        .contains("t<br/>timer · #36;#123; Variables.x #125;<br/>(parked)")
        .contains("classDef parked fill:#fee2e2,stroke:#dc2626")
        .contains("class n2 parked");
    assertThat(texts(parsed(Svg.of(stuck.definition, stuck.live(), Set.of("f", "w")))))
        .as("a live visit hides that the activity was completed before")
        .contains("running")
        .doesNotContain("completed");
    assertThat(texts(parsed(Svg.of(play.definition, play.live(), Set.of("a")))))
        .contains("completed");
  }

  @Test
  void several_visits_to_one_activity_are_counted() {
    Play play =
        Play.of(
                "e",
                """
                  e:
                    type: for-each
                    with: { items: [1, 2, 3], parallel: 3 }
                    start: w
                    activities: { w: { type: work } }
                """)
            .start(Map.of());

    assertThat(texts(parsed(Svg.of(play.definition, play.live())))).contains("running ×3");
  }

  @Test
  void what_authors_write_is_text_and_nothing_else() {
    String evil = "<script>alert(1)</script>\\\"'><img src=x onerror=alert(2)>]]>&amp;${ 1 }";
    Play play =
        new Play(
            """
            waymark: 1
            key: k
            name: "%1$s"
            start: a
            activities:
              a:
                type: wait
                description: "%1$s"
                with: { for: external-message, key: "%1$s" }
                on:
                  message: { name: "<b>%1$s", to: b }
                  timeout: { after: "${ '%2$s' }", to: b }
                next: [{ when: "Output.x == '<svg onload=1>'", to: b }, { to: c }]
              b: { type: signal, with: { name: "\\u0007<i>\\uFFFE%1$s" } }
              c: { type: raise, with: { code: "\\" onclick=\\"alert(1)" } }
            """
                .formatted(evil, "<script>"));

    String svg = Svg.of(play.definition);
    Document image = parsed(svg);
    String mermaid = Mermaid.of(play.definition);

    assertThat(names(image)).containsOnly("svg", "title", "g", "rect", "circle", "text", "path");
    assertThat(attributes(image))
        .noneMatch(name -> name.startsWith("on") || name.contains("href") || name.equals("style"));
    assertThat(svg).doesNotContain("<script").doesNotContain("<img").doesNotContain("<b>");
    assertThat(mermaid.replace("<br/>", "").replace("-->", "").replace("-.->", ""))
        .doesNotContain("<")
        .doesNotContain(">");
    assertThat(mermaid.lines())
        .as("nothing breaks out of its quotes, or out of its line")
        .allMatch(line -> line.chars().filter(c -> c == '"').count() % 2 == 0)
        .hasSize(1 + 4 + 5);
  }

  @Test
  void whatever_the_definition_the_image_is_well_formed() {
    String many =
        IntStream.range(0, 300)
            .mapToObj(
                i ->
                    "  a%d: { type: wait, next: [{ when: 'Variables.x', to: a%d }, { to: a%d }] }\n"
                        .formatted(i, (i * 7 + 1) % 300, (i + 1) % 300))
            .collect(Collectors.joining());

    Document image = parsed(Svg.of(Play.of("a0", many).definition));

    assertThat(image.getElementsByTagName("rect").getLength()).isEqualTo(300);
  }

  private static Document parsed(String svg) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    } catch (Exception e) {
      throw new AssertionError("Expected well-formed XML, but got " + svg, e);
    }
  }

  private static List<String> texts(Document image) {
    return elements(image).stream()
        .filter(element -> element.getTagName().equals("text"))
        .map(Element::getTextContent)
        .toList();
  }

  private static List<String> names(Document image) {
    return elements(image).stream().map(Element::getTagName).toList();
  }

  private static List<String> attributes(Document image) {
    return elements(image).stream()
        .flatMap(
            element ->
                IntStream.range(0, element.getAttributes().getLength())
                    .mapToObj(i -> element.getAttributes().item(i).getNodeName()))
        .toList();
  }

  private static List<Element> elements(Document image) {
    NodeList all = image.getElementsByTagName("*");
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) {
      elements.add((Element) all.item(i));
    }
    return elements;
  }
}

// Whatever a user's text holds, markdown shows it as it is.
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import type { RequestMap } from "../../server/src/render/bank-map.ts";
import type { HoverBlock } from "../../server/src/render/content.ts";
import { hoverMarkdown } from "../../server/src/render/markdown.ts";
import { hoverPlainText } from "../../server/src/render/plain-text.ts";

/** As far as the tests need it; it comes with vsce, without types. */
interface MarkdownIt {
  render(text: string): string;
}

const MarkdownIt = createRequire(import.meta.url)("markdown-it") as new (options: object) => MarkdownIt;
const reader = new MarkdownIt({ html: true, linkify: true });

const draw = (blocks: readonly HoverBlock[], dialect: "spans" | "fenced" = "fenced") =>
  hoverMarkdown(
    { range: { start: 0, end: 0 }, blocks },
    { dialect, linkTo: ({ kind }) => (kind === "open-place" ? null : `command:x?${kind}(1)`) },
  );

const line = (text: string): HoverBlock => ({ kind: "line", spans: [{ kind: "plain", text }] });
const code = (text: string): HoverBlock => ({ kind: "line", spans: [{ kind: "code", text }] });

/** What a reader of the page sees; elements that are no plain paragraph, cell, code or row are left in. */
const seen = (html: string) =>
  html
    .replace(/<\/?(p|code|pre|table|thead|tbody|tr|t[hd])( style="[^"]*")?( class="language-text")?>/g, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)))
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();

const nasty = [
  "`", "``", "*", "**", "_", "__", "~", "~~", "[", "]", "(", ")", "](", "![", "<", ">", "<b>", "<!--", "</pre>",
  "&", "&lt;", "&#35;", "|", "\\", "#", "-", "+", "=", "1.", "2)", ":", "http://a.b", "www.a.b", "a@b.c", "$(bug)",
  "'", '"', "!", " ", "  ", "\t", "\n", "a", "B", "7", "x[i]", "T<int>", "a*b*c", "_x_", "é", "×", ">=",
]; // biome-ignore format: a list is easier to read in few lines

/** Texts of random pieces, the same each time. */
function* randomTexts(count: number): Generator<string> {
  let state = 12345;
  const next = (limit: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % limit;
  };
  for (let index = 0; index < count; index++)
    yield Array.from({ length: 1 + next(8) }, () => nasty[next(nasty.length)] ?? "").join("");
}

describe("escaping", () => {
  it("shows every text as it is, in lines, code, tables and links", () => {
    for (const text of randomTexts(5000)) {
      const plain = text.replace(/\s+/g, " ").trim();
      if (plain === "") continue;
      expect(seen(reader.render(draw([line(text)]))), JSON.stringify(text)).toBe(plain);
      expect(seen(reader.render(draw([code(text)]))), JSON.stringify(text)).toBe(plain);
      const table = draw([{ kind: "table", head: ["a", "b"], rows: [[text, "end"]] }]);
      expect(seen(reader.render(table)), JSON.stringify(text)).toBe(`a b ${plain} end`);
      const link = draw([
        { kind: "links", links: [{ title: text, command: { kind: "open-rule", rule: "r" } }] },
      ]);
      const anchor = /^<p><a href="command:x\?open-rule%281%29">([\s\S]*)<\/a><\/p>\n$/.exec(
        reader.render(link),
      );
      expect(anchor && seen(anchor[1] ?? ""), JSON.stringify(text)).toBe(plain);
    }
  });

  it("sets columns in a fixed pitch whatever they hold", () => {
    for (const text of randomTexts(1000)) {
      const single = text.replace(/[\r\n]/g, "");
      for (const dialect of ["fenced", "spans"] as const) {
        const html = reader.render(draw([{ kind: "columns", lines: [single, "end"] }], dialect));
        expect(seen(html), JSON.stringify(single)).toBe(`${single.trim()} end`.replace(/\s+/g, " ").trim());
      }
    }
  });
});

const map: RequestMap = {
  ruler: null,
  tone: "excess",
  rows: [
    {
      label: "sector 1",
      cells: ["used", "used", "idle", "shared"],
      lanes: [[0], [1], [], [2, 3]],
      note: "8 of 32 B used",
    },
  ],
};

describe("a map", () => {
  it("is coloured in the one form that VS Code lets through", () => {
    expect(draw([{ kind: "map", map }], "spans")).toBe(
      '<pre>sector 1 <span style="color:var(--vscode-charts-red);">██</span>' +
        '<span style="color:var(--vscode-disabledForeground);">·</span>' +
        '<span style="color:var(--vscode-charts-green);">B</span>  8 of 32 B used</pre>',
    );
  });

  it("that is ideal has not the colour of trouble", () => {
    const calm = draw([{ kind: "map", map: { ...map, tone: "ideal" } }], "spans");
    expect(calm).toContain('<span style="color:var(--vscode-charts-blue);">██</span>');
    expect(calm).not.toContain("charts-red");
  });

  it("is plain text elsewhere", () => {
    expect(draw([{ kind: "map", map }])).toBe("```text\nsector 1 ██·B  8 of 32 B used\n```");
  });
});

describe("links", () => {
  it("are left out where the client cannot follow them; the steps of a path stay", () => {
    const place = { file: "/a.cu", start: 0, end: 1 };
    const links = [{ title: "main, line 8", command: { kind: "open-place", place } as const }];
    expect(draw([{ kind: "links", links }])).toBe("");
    expect(draw([{ kind: "path", links }])).toBe("from main, line 8");
  });
});

describe("plain text", () => {
  it("has all but links, tables in columns", () => {
    const blocks: HoverBlock[] = [
      {
        kind: "line",
        spans: [
          { kind: "code", text: "tile<T>" },
          { kind: "plain", text: ": a_b*c" },
        ],
      },
      { kind: "map", map },
      {
        kind: "table",
        head: ["launch", "×"],
        rows: [
          ["block (32)", "32.0×"],
          ["b", "1.0×"],
        ],
      },
      { kind: "links", links: [{ title: "Rule", command: { kind: "open-rule", rule: "r" } }] },
    ];
    expect(hoverPlainText({ range: { start: 0, end: 0 }, blocks })).toBe(
      [
        "tile<T>: a_b*c",
        "",
        "sector 1 ██·B  8 of 32 B used",
        "",
        "launch          ×",
        "block (32)  32.0×",
        "b            1.0×",
      ].join("\n"),
    );
  });
});

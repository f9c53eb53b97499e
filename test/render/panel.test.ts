// The panel's fragments: what a strict policy lets in, and lanes that can be found again.
import { describe, expect, it } from "vitest";
import { mapOf } from "../../server/src/render/bank-map.ts";
import type { PanelState } from "../../server/src/render/content.ts";
import { mapSvg } from "../../server/src/render/map-svg.ts";
import { panelHtml } from "../../server/src/render/panel-html.ts";
import { access, lanes } from "../rules/profiles.ts";

const conflict = access({ laneAddresses: lanes((lane) => lane * 128), cost: 32, ideal: 1 });
const text = { id: "map", title: "Map of tile[col][row]", description: "32 wavefronts, 1 ideal (32.0×)" };

const svgOf = (limit?: number, of = conflict) => {
  const map = mapOf(of, limit);
  return map === null ? "" : mapSvg(map, text);
};

describe("the map as SVG", () => {
  it("has all rows where there is room, and each lane once", () => {
    const svg = svgOf(66);
    const found = [...svg.matchAll(/data-lane="([\d ]+)"/g)].map((match) => match[1]);
    expect(found).toEqual(Array.from({ length: 32 }, (_, lane) => String(lane)));
    expect(svg.match(/<rect /g)).toHaveLength(32 * 32);
  });

  it("is an image with a title and a description", () => {
    const svg = svgOf();
    expect(svg).toContain('role="img"');
    expect(svg).toContain('aria-labelledby="map-title map-description"');
    expect(svg).toContain('<title id="map-title">Map of tile[col][row]</title>');
    expect(svg).toContain('<desc id="map-description">32 wavefronts, 1 ideal (32.0×)</desc>');
  });

  it("names all lanes of a broadcast, and marks it by more than colour", () => {
    const svg = svgOf(6, access({ laneAddresses: lanes(() => 64), cost: 1, ideal: 1 }));
    expect(svg).toContain(`data-lane="${Array.from({ length: 32 }, (_, lane) => lane).join(" ")}"`);
    expect(svg).toMatch(/>B<\/text>/);
  });

  it("names the lanes of each 4 bytes of a sector", () => {
    const row = access({ space: "global", laneAddresses: lanes((lane) => lane * 4), cost: 4, ideal: 4 });
    const found = [...svgOf(6, row).matchAll(/data-lane="([\d ]+)"/g)].map((match) => match[1]);
    expect(found).toEqual(Array.from({ length: 32 }, (_, lane) => String(lane)));
  });
});

describe("the panel", () => {
  const state: PanelState = {
    place: { file: "/a.cu", start: 0, end: 1 },
    expression: 'tile<1>["</h1><script>"]',
    kind: "shared load, 4 B a lane",
    kernel: "k<1>",
    choice: { operation: "shared load", launch: "b", warp: null, trip: null },
    operations: [{ id: "shared load", label: "shared load" }],
    launches: [
      { id: "a", label: "block (32)" },
      { id: "b", label: 'block (64) "x"' },
    ],
    warps: [],
    trips: [],
    headline: "32 wavefronts, 1 ideal (32.0×)",
    cost: {
      kernel: "k<1>",
      totals: "shared: 3,200 wavefronts, 100 ideal · excess 3,100",
      rows: [
        {
          place: { file: "/a.cu", start: 0, end: 1 },
          label: "1",
          line: 1,
          expression: 'tile["<b>"]',
          kind: "shared load",
          unit: "wavefronts",
          requests: 100,
          cost: 3200,
          ideal: 100,
          excess: 3100,
          isExact: true,
          share: 1,
          perRequest: "32 wavefronts, 1 ideal",
          measured: null,
          isShown: true,
        },
      ],
    },
    notes: ["a <b>"],
    map: mapOf(conflict, 66),
    after: null,
    lanes: [],
  };

  it("escapes what the user wrote", () => {
    const html = panelHtml(state);
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain("<h1 data-reveal>tile&#60;1&#62;[&#34;&#60;/h1&#62;&#60;script&#62;&#34;]</h1>");
  });

  it("draws the access with its fix below, and escapes that too", () => {
    const after = { title: "Pad t<b>", headline: "1 wavefront, 1 ideal", map: mapOf(conflict, 66) };
    const html = panelHtml({ ...state, after });
    expect(html).toContain('<p class="fix">Pad t&#60;b&#62;</p><p class="headline">1 wavefront, 1 ideal</p>');
    expect([...html.matchAll(/<title id="([\w-]+)"/g)].map((match) => match[1])).toEqual([
      "map-title",
      "map-after-title",
    ]);
    expect(panelHtml(state)).not.toContain('class="after"');
  });

  it("has a column of the excess that was measured where a report was imported, escaped as well", () => {
    const headings = (html: string) =>
      [...html.matchAll(/data-sort="\d+">(\w+)</g)].map(([, title]) => title);
    expect(headings(panelHtml(state))).not.toContain("Measured");
    const measured = { cost: 3200, ideal: 100, isStale: true, text: '<b>.ncu-rep: 3,200 "wavefronts"' };
    const rows = (state.cost?.rows ?? []).map((row) => ({ ...row, measured }));
    const html = panelHtml({ ...state, cost: state.cost && { ...state.cost, rows } });
    expect(headings(html).slice(0, 4)).toEqual(["Line", "Excess", "Measured", "Share"]);
    expect(html).toContain(
      '<span title="&#60;b&#62;.ncu-rep: 3,200 &#34;wavefronts&#34;">3,100 <span class="kind">stale</span></span>',
    );
  });

  it("has a picker only where there is something to pick", () => {
    const html = panelHtml(state);
    expect([...html.matchAll(/data-pick="(\w+)"/g)].map((match) => match[1])).toEqual(["launch"]);
    expect(html).toContain('<option value="b" selected>block (64) &#34;x&#34;</option>');
  });

  it("has no styles, scripts or handlers of its own", () => {
    expect(panelHtml(state)).not.toMatch(/ style=|<style|<script| on\w+=/);
  });
});

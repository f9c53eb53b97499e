// Headers by any name: what is said in them of kernels that sources launch, whether or not these are open.
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { CodeLens, Hover } from "vscode-languageserver/node";
import type { PanelStateResult } from "../../server/src/lsp/protocol.ts";
import { type Client, pullCapabilities, uriOf } from "./client.ts";
import { serving } from "./serving.ts";
import { unlaunched } from "./texts.ts";

const { folder, start, write, empty } = serving();
beforeEach(empty);

const main = (header: string, block = "dim3(32, 32)") => `#include "${header}"
int main() {
  float *out, *in;
  transpose<<<1, ${block}>>>(out, in);
}
`;
const access = "tile[threadIdx.x][threadIdx.y]";

/** Opens a header as an editor does that takes it for C++. */
function openHeader(client: Client, name: string, text: string): string {
  client.open(join(folder, name), text, "cpp");
  return uriOf(join(folder, name));
}

function placeOf(client: Client, uri: string, text: string) {
  const document = client.document(uri);
  return { uri, position: document.positionAt(document.getText().indexOf(text) + 2) };
}

describe.each(["kernels.h", "kernels.inl", "kernels.tpp"])("a kernel in %s", (name) => {
  it("has diagnostics, hover, lens and panel with the launch of a source that is not open", async () => {
    write(name, unlaunched);
    write("app/main.cu", main(`../${name}`));
    const client = await start({ initializationOptions: { commandLinks: true } });
    const uri = openHeader(client, name, unlaunched);
    const found = await client.diagnostics(uri);
    expect(found.map(({ code }) => code)).toEqual(["shared-bank-conflict"]);
    expect(found[0]?.message).not.toContain("assumed");
    const { position } = placeOf(client, uri, access);
    const hover = await client.request<Hover | null>("textDocument/hover", {
      textDocument: { uri },
      position,
    });
    expect(JSON.stringify(hover?.contents)).toContain("30 more, one lane each");
    const lenses = await client.request<CodeLens[]>("textDocument/codeLens", { textDocument: { uri } });
    expect(lenses.map(({ command }) => command?.title).join()).toContain("main.cu:4");
    const panel = await client.request<PanelStateResult | null>("warplint/panelState", {
      uri,
      position,
      choice: null,
    });
    expect(panel?.state.kernel).toBe("transpose");
  });
});

describe("a header", () => {
  const plain = `DEVICE void put(float (*tile)[32], float value) {
  tile[threadIdx.x][threadIdx.y] = value;
}
`;
  const user = `#define DEVICE __device__
#include "put.h"
__global__ void k(float *out) {
  __shared__ float tile[32][32];
  put(tile, out[threadIdx.x]);
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}
int main() { float *out; k<<<1, dim3(32, 32)>>>(out); }
`;

  it("without a word of CUDA is seen through the sources that give it one", async () => {
    write("put.h", plain);
    write("main.cu", user);
    const client = await start();
    const uri = openHeader(client, "put.h", plain);
    expect((await client.diagnostics(uri)).map(({ code }) => code)).toEqual(["shared-bank-conflict"]);
  });

  it("of host code alone has nothing said of it", async () => {
    const host = '#include "missing.h"\ninline int first(const int *p) { return p[0]; }\n';
    write("host.h", host);
    write("host.cpp", '#include "host.h"\nint main() { int a = 0; return first(&a); }\n');
    write("main.cu", user);
    const client = await start();
    const uri = openHeader(client, "host.h", host);
    expect(await client.diagnostics(uri)).toEqual([]);
    const { position } = placeOf(client, uri, "p[0]");
    expect(await client.request("textDocument/hover", { textDocument: { uri }, position })).toBeNull();
  });

  it("is asked for again when a launch is found, and when it is another", async () => {
    write("kernels.h", unlaunched);
    write("main.cu", '#include "kernels.h"\nint main() {}\n');
    const client = await start({ capabilities: pullCapabilities });
    const uri = openHeader(client, "kernels.h", unlaunched);
    expect((await client.diagnostics(uri))[0]?.message).toContain("assumed");
    write("main.cu", main("kernels.h"));
    const asked = client.asked.length;
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: [{ uri: uriOf(join(folder, "main.cu")), type: 2 }],
    });
    await client.until(() => client.asked.slice(asked).includes("workspace/diagnostic/refresh"), "a refresh");
    expect((await client.diagnostics(uri))[0]?.message).not.toContain("assumed");
    client.open(join(folder, "main.cu"), main("kernels.h"));
    client.replace(uriOf(join(folder, "main.cu")), main("kernels.h", "dim3(1, 32)"));
    expect((await client.diagnostics(uri)).map(({ message }) => message).join()).toContain("block (1,32)");
  });
});

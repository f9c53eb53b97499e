// The example of the walkthrough, in an editor of its own: nothing is written to disk.
import { window, workspace } from "vscode";

/** As the walkthrough's page shows it. */
const example = `__global__ void transpose(float* out, const float* in) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = tile[x][y];
}

int main() {
  float *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  transpose<<<1, dim3(32, 32)>>>(out, in);
}
`;

export async function openExample(): Promise<void> {
  await window.showTextDocument(await workspace.openTextDocument({ language: "cuda-cpp", content: example }));
}

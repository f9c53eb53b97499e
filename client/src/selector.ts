// Which documents are CUDA.
import { languages, type TextDocument, workspace } from "vscode";

/** Schemes of documents that a user edits; a diff's old side (`git:`) is none of them. */
function editedSchemes(): ReadonlySet<string> {
  const folders = workspace.workspaceFolders ?? [];
  return new Set(["file", "untitled", ...folders.map(({ uri }) => uri.scheme)]);
}

export interface CudaFilter {
  readonly scheme: string;
  readonly language?: string;
  readonly pattern?: string;
}

/** VS Code's own C++ extension calls CUDA `cuda-cpp`, others `cuda`; the names of files hold whatever the language is set to. */
export function cudaSelector(): CudaFilter[] {
  return [...editedSchemes()].flatMap((scheme) => [
    { scheme, language: "cuda-cpp" },
    { scheme, language: "cuda" },
    { scheme, pattern: "**/*.{cu,cuh}" },
  ]);
}

/** CUDA, and headers that CUDA sources may include: the server knows which they are. */
export function readSelector(): CudaFilter[] {
  const headers = [...editedSchemes()].map((scheme) => ({ scheme, pattern: headerPattern }));
  return [...cudaSelector(), ...headers];
}

const headerPattern = "**/*.{h,H,hh,hpp,hxx,inl,inc,ipp,tpp,tcc}";

/** Whether the server is told of a document. */
export function isRead(document: TextDocument): boolean {
  return languages.match(readSelector(), document) > 0;
}

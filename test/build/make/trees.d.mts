export interface Project {
  readonly name: string;
  /** What make is asked for to make all that the reader reads: none is the default goal. */
  readonly goals: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly recorded: string;
  readonly makefile: string;
}
export function projectsIn(text: string): Project[];
export function filesOf(project: Project): Record<string, string>;
export function textOf(head: string, projects: readonly Project[]): string;

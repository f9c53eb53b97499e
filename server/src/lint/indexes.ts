// The indexes of names of the workspaces that files were asked for in, and whether somebody waits until they are complete.
import type { Host } from "../host/host.ts";
import { createNameIndex, type NameIndexOfFiles } from "../program/index.ts";
import type { IgnoredFiles } from "../project/ignored.ts";
import type { Project } from "../project/project.ts";
import { ancestors, directoryOf, isInside } from "../text/path.ts";
import type { LintOptions } from "./session.ts";

/** Files to be read before the first answer, where somebody waits for it. */
const mostAwaited = 200;

export class Indexes {
  private readonly host: Host;
  private project: Project;
  private readonly largeWorkspaces: LintOptions["largeWorkspaces"];
  private readonly byWorkspace = new Map<string, NameIndexOfFiles>();
  /** Workspaces whose files had a say since this was emptied last. */
  readonly asked = new Set<string>();
  /** Those that nobody waited for. */
  private readonly waiting = new Set<NameIndexOfFiles>();

  constructor(host: Host, project: Project, largeWorkspaces: LintOptions["largeWorkspaces"]) {
    this.host = host;
    this.project = project;
    this.largeWorkspaces = largeWorkspaces;
  }

  /** What is known of all files around one; null where that is nothing, or too much to wait for. */
  *around(file: string): Generator<void, NameIndexOfFiles | null> {
    const index = this.indexFor(file);
    if (index === null) return null;
    const built = this.project.descriptionOf(file);
    if (built !== null) {
      yield* index.list();
      index.addBuilt(built);
    }
    if (this.largeWorkspaces === "in the background") {
      yield* index.list();
      if (index.unreadCount > mostAwaited) {
        this.waiting.add(index);
        return null;
      }
    }
    yield* index.refresh();
    return index;
  }

  /** That of a workspace, with all that is known of its files; null where there is none. */
  *whole(workspace: string): Generator<void, NameIndexOfFiles | null> {
    const around = this.project.settingsIn(workspace);
    if (around.kind === "errors") return null;
    const index = this.of(workspace, around.settings.ignored);
    yield* index.refresh();
    return index;
  }

  /** Whether somebody was answered without what the files around have to say. */
  get areIncomplete(): boolean {
    return this.waiting.size > 0;
  }

  /** Reads what was not waited for. */
  *complete(): Generator<void, void> {
    for (const index of this.waiting) yield* index.refresh();
    this.waiting.clear();
  }

  /** What builds say may be something else now. */
  forgetBuilt(): void {
    for (const index of this.byWorkspace.values()) index.forgetBuilt();
  }

  /** These files have other contents, or are new, or are gone: whether other names are known now. */
  update(changed: readonly string[]): boolean {
    const before = this.version();
    for (const index of this.byWorkspace.values()) index.update(changed);
    return this.version() !== before;
  }

  renew(project: Project): void {
    this.project = project;
    for (const [workspace, index] of this.byWorkspace) {
      const around = project.settingsIn(workspace);
      index.forgetBuilt();
      if (around.kind === "settings") index.relist(seenIn(workspace, around.settings.ignored));
    }
  }

  private version(): number {
    let sum = 0;
    for (const index of this.byWorkspace.values()) sum += index.version + index.unreadCount;
    return sum;
  }

  private indexFor(file: string): NameIndexOfFiles | null {
    const around = this.project.settingsIn(directoryOf(file));
    if (around.kind === "errors") return null;
    const { workspace, ignored } = around.settings;
    const root = rootOf(directoryOf(file), workspace, ignored);
    this.asked.add(root);
    return this.of(root, ignored);
  }

  /** That of a workspace. */
  private of(workspace: string, ignored: IgnoredFiles): NameIndexOfFiles {
    const known = this.byWorkspace.get(workspace);
    if (known !== undefined) return known;
    const ofWorkspace = this.project.settingsIn(workspace);
    const made = createNameIndex(
      this.host,
      workspace,
      seenIn(workspace, ofWorkspace.kind === "settings" ? ofWorkspace.settings.ignored : ignored),
    );
    this.byWorkspace.set(workspace, made);
    return made;
  }
}

/** Files that lie in a directory which git ignores, as experiments do, are known among each other: that directory is their workspace. */
function rootOf(directory: string, workspace: string, ignored: IgnoredFiles): string {
  const around = ancestors(directory).filter((each) => isInside(each, workspace));
  return around.findLast((each) => ignored.isIgnored(each, "directory")) ?? workspace;
}

/** What is ignored below a root: nothing where it is ignored itself. */
function seenIn(root: string, ignored: IgnoredFiles): IgnoredFiles {
  return ignored.isIgnored(root, "directory") ? { isIgnored: () => false } : ignored;
}

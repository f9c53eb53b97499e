// Projects of makefiles as text: "=== name", then "--- path" before each file, and "--- @make" before what real make prints.

/** The projects in `text`. */
export function projectsIn(text) {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [head = "", ...pieces] = part.split(/^--- /m);
      const files = {};
      let recorded = "";
      for (const piece of pieces) {
        const at = piece.indexOf("\n");
        const path = piece.slice(0, at);
        const content = piece.slice(at + 1);
        if (path === "@make") recorded = content;
        else files[path] = content;
      }
      const [name = "", ...goals] = head.trim().split(/ *goals: */);
      const makefile = ["GNUmakefile", "makefile", "Makefile"].find((one) => one in files) ?? "Makefile";
      return {
        name,
        goals: (goals[0] ?? "").split(" ").filter((one) => one !== ""),
        files,
        recorded,
        makefile,
      };
    });
}

/** A project's files; those that a line "--- empty a b c" names are empty. */
export function filesOf(project) {
  const files = {};
  for (const [path, content] of Object.entries(project.files)) {
    const named = path.startsWith("empty ") ? path.slice("empty ".length).split(" ") : [path];
    for (const one of named) files[one] = path.startsWith("empty ") ? "" : content;
  }
  return files;
}

/** The projects as text again. */
export function textOf(head, projects) {
  const parts = projects.map(({ name, goals, files, recorded }) => {
    const pieces = [...Object.entries(files), ["@make", recorded]].map(
      ([path, content]) => `--- ${path}\n${content}`,
    );
    return `=== ${name}${goals.length > 0 ? ` goals: ${goals.join(" ")}` : ""}\n${pieces.join("")}`;
  });
  return head + parts.join("");
}

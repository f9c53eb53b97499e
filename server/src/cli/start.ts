// What runs first: says again what an earlier run said, where it would be the same, else starts the command line. Until it is known which, hardly
// anything is loaded.
import { isMainThread } from "node:worker_threads";
import { endWithout } from "./output-ended.ts";
import { saidBefore } from "./said.ts";

const said = isMainThread ? saidBefore(process.argv.slice(2)) : null;
if (said === null) void import("./load.ts").then(({ loadBundles }) => loadBundles());
else {
  process.exitCode = said.exitCode;
  process.stdout.on("error", endWithout);
  process.stdout.write(said.output);
}

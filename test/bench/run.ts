/** `npm run bench NAME [-- OPTIONS]`: each bench is a file of this folder, which says on its first lines what it measures and takes. */
const benches = ["api", "cells", "deliver", "feed", "follow", "history", "idle", "latency", "match"];
const [name] = process.argv.splice(2, 1);

if (name === undefined || !benches.includes(name)) {
  console.error(`Usage: npm run bench NAME [-- OPTIONS]\n\nNAME is one of ${benches.join(", ")}.`);
  process.exitCode = 2;
} else await import(`./${name}.ts`);

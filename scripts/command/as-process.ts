/** What each command needs as a process, whether npm's script or the installed tool runs it. */

/** Runs a command with the process's arguments, and leaves its exit code. */
export async function asProcess(run: (args: string[]) => Promise<number>): Promise<void> {
  // A reader such as `head` may stop early, which is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}

/** Waits for a condition, and says which one it was when it never comes true. */
export async function untilHolds(
  holds: () => boolean | Promise<boolean>,
  what: string,
  milliseconds = 60_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it never came true that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

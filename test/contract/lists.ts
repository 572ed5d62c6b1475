/** A name that is there, or is not. */
export const named = (names: Iterable<string>) => Object.fromEntries([...names].sort().map((name) => [name, 'yes']));

/** Three at a time. */
export async function side<Item>(items: readonly Item[], each: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await each(item);
  };
  await Promise.all([work(), work(), work()]);
}

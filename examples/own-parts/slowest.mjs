// A reporter of your own: the tests that took longest, when the run has ended.
// `understudy run --reporter list,./slowest.mjs=3` shows three of them.
export default function slowest({ target = '5' }) {
  const ended = [];
  return {
    end: ({ name }, { status, duration_ms: time }) => ended.push({ name, status, time }),
    finish(run) {
      const longest = ended.sort((a, b) => b.time - a.time).slice(0, Number(target));
      for (const { name, status, time } of longest) console.log(`${(time / 1000).toFixed(1)} s  ${status}  ${name}`);
      console.log(`${run.counts.total} in all`);
    },
  };
}

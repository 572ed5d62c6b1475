import { useEffect, useState } from 'preact/hooks';
import type { PageOverview } from '../../packages/verdict/src/reporters/html/page-data.js';
import { onChange, readOverview } from './data.js';
import { Overview } from './overview.js';
import { linkTo, useRoute } from './route.js';
import { TestView } from './test-view.js';
import { ThemeButton } from './theme.js';

export function App() {
  const route = useRoute();
  const [overview, setOverview] = useState<PageOverview>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const read = () => {
      readOverview().then(setOverview, (error: unknown) => setProblem(String(error)));
    };
    read();
    return onChange(read);
  }, []);
  useEffect(() => {
    if (route.item === undefined) scrollTo(0, 0);
  }, [route.test]);
  const index = overview?.entries.findIndex(({ key }) => key === route.test) ?? -1;
  const entry = overview?.entries[index];
  const before = overview?.entries[index - 1]?.key;
  const after = overview?.entries[index + 1]?.key;
  return (
    <>
      <header>
        <h1>
          <a href={linkTo({})}>Understudy report</a>
        </h1>
        <ThemeButton />
      </header>
      {problem === undefined ? null : <p class="bad">{problem}</p>}
      {overview === undefined ? (
        <p class="loading">Reading the report …</p>
      ) : entry !== undefined ? (
        <TestView
          key={entry.key}
          {...{ entry, index, route }}
          version={overview.live === undefined ? undefined : overview}
          near={{ ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }}
        />
      ) : (
        <Overview {...{ overview, route }} />
      )}
    </>
  );
}

import type { Isolation, IsolationNeeds } from './provider.js';
export async function dockerProblem(): Promise<string | undefined> {
  return 'not yet';
}
export async function openDocker(_needs: IsolationNeeds, _image: string | undefined): Promise<Isolation> {
  throw new Error('not yet');
}

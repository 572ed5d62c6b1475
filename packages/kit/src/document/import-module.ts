/** Imports a file. It is a module of its own because code from our cache cannot `import()` (src/bin/code-cache.ts). */
export const importModule = (url: string): Promise<unknown> => import(url);

/** For Rolldown and Vite: imports of faces become imports of files. */
export const faces: {
  name: string;
  enforce: 'pre';
  transform(code: string, id: string): { code: string; map: null } | undefined;
};

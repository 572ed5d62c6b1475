export const asking = ['run'];

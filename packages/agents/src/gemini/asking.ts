export const asking = ['*'];

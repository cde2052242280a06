// What scenes of challenges are made of.

export const diagonal = (a, b) => [[a, 0], [0, b]];
export const tilted = (a, b, c) => [[a, b], [b, c]];

export const ROUND = diagonal(1, 1);
export const TOGETHER = [[0, 0], [0, 0]];

// One round of subdivision for the eye: a point on every edge, lifted off its middle as the normals at its ends say.
// Silhouettes become round; the points that are simulated stay where they are.
//
// The lifted middle is that of the cubic edge of a PN triangle (Vlachos et al. 2001, Curved PN triangles): it depends
// on the two ends only, so triangles that share an edge share the point.

/** Edges between normals that differ more than this stay straight: they are creases (cosine). */
const CREASE = 0.2;
const FULL = 32767;

export interface Subdivided {
  /** Two ends of each edge; the point of edge e has number `pointCount + e`. */
  ends: Uint32Array;
  /** Four triangles for each of the mesh. */
  triangles: Uint32Array;
}

/** Number the edges of a mesh, and cut every triangle in four. */
export function subdivided(triangles: ArrayLike<number>, pointCount: number): Subdivided {
  const known = new Map<number, number>();
  const ends: number[] = [];
  const middle = (i: number, j: number): number => {
    const key = i < j ? i * pointCount + j : j * pointCount + i;
    let number = known.get(key);
    if (number === undefined) {
      number = pointCount + ends.length / 2;
      known.set(key, number);
      ends.push(i, j);
    }
    return number;
  };
  const fine = new Uint32Array(4 * triangles.length);
  for (let t = 0, f = 0; t < triangles.length; t += 3, f += 12) {
    const a = triangles[t], b = triangles[t + 1], c = triangles[t + 2];
    const ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    fine.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], f);
  }
  return { ends: new Uint32Array(ends), triangles: fine };
}

/**
 * Write for every point the mean of its normal and those of its neighbours, which hides wrinkles as fine as the mesh: these
 * are the mesh's own, not the cloth's. Across creases nothing is mixed.
 */
function mixNormals(normals: Int16Array, ends: Uint32Array, mixed: Int16Array): void {
  const sums = new Float32Array(normals.length);
  for (let e = 0; e < ends.length; e += 2) {
    const i = 4 * ends[e], j = 4 * ends[e + 1];
    const along = normals[i] * normals[j] + normals[i + 1] * normals[j + 1] + normals[i + 2] * normals[j + 2];
    if (along < CREASE * FULL * FULL) continue;
    // Each neighbour adds its own normal once, and the point its own as often as it has neighbours.
    for (let axis = 0; axis < 3; axis++) {
      const both = normals[i + axis] + normals[j + axis];
      sums[i + axis] += both;
      sums[j + axis] += both;
    }
  }
  mixed.set(normals);
  for (let n = 0; n < normals.length; n += 4) {
    const length = Math.hypot(sums[n], sums[n + 1], sums[n + 2]);
    if (length === 0) continue;
    for (let axis = 0; axis < 3; axis++) mixed[n + axis] = (sums[n + axis] * FULL) / length;
  }
}

/**
 * Write all points and normals of the finer mesh: those of the mesh itself, then those of its edges.
 *
 * @param points four numbers a point: x, y, z and strain, in units of 1/32767
 * @param given normals of the mesh, four numbers a point, unit vectors in units of 1/32767
 * @param finePoints four numbers a point, written
 * @param fineNormals four numbers a point, in units of 1/32767, written
 */
export function subdividePoints(
  points: Int16Array, given: Int16Array, ends: Uint32Array, finePoints: Float32Array, fineNormals: Int16Array,
): void {
  for (let n = 0; n < points.length; n++) finePoints[n] = points[n] / FULL;
  mixNormals(given, ends, fineNormals);
  const normals = fineNormals; // those of the mesh stand first
  for (let e = 0, w = points.length; e < ends.length; e += 2, w += 4) {
    const i = 4 * ends[e], j = 4 * ends[e + 1];
    const dx = points[j] - points[i], dy = points[j + 1] - points[i + 1], dz = points[j + 2] - points[i + 2];
    const ax = normals[i] / FULL, ay = normals[i + 1] / FULL, az = normals[i + 2] / FULL;
    const bx = normals[j] / FULL, by = normals[j + 1] / FULL, bz = normals[j + 2] / FULL;
    const isCrease = ax * bx + ay * by + az * bz < CREASE;
    const rise = isCrease ? 0 : (dx * ax + dy * ay + dz * az) / 8;
    const fall = isCrease ? 0 : (dx * bx + dy * by + dz * bz) / 8;
    finePoints[w] = (0.5 * (points[i] + points[j]) - rise * ax + fall * bx) / FULL;
    finePoints[w + 1] = (0.5 * (points[i + 1] + points[j + 1]) - rise * ay + fall * by) / FULL;
    finePoints[w + 2] = (0.5 * (points[i + 2] + points[j + 2]) - rise * az + fall * bz) / FULL;
    finePoints[w + 3] = (0.5 * (points[i + 3] + points[j + 3])) / FULL;
    // The mean normal; turned to stand upright on the curved edge it would bring the finest wrinkles back.
    const nx = ax + bx, ny = ay + by, nz = az + bz;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const factor = length > 0 ? FULL / length : 0;
    fineNormals[w] = nx * factor;
    fineNormals[w + 1] = ny * factor;
    fineNormals[w + 2] = nz * factor;
  }
}

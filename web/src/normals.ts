// Smooth normals of a surface from its packed points.

const FULL = 32767;

/**
 * Write the unit normal of each point: the mean of the triangles around it, weighted by their area.
 *
 * @param points four numbers a point: x, y, z and one that is passed over
 * @param triangles three points each
 * @param sums room for three numbers a point
 * @param normals four numbers a point, written: x, y, z in units of 1/32767, and 0
 */
export function surfaceNormals(points: Int16Array, triangles: Uint32Array, sums: Float32Array, normals: Int16Array): void {
  sums.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const i = triangles[t], j = triangles[t + 1], k = triangles[t + 2];
    const a = 4 * i, b = 4 * j, c = 4 * k;
    const x = points[a], y = points[a + 1], z = points[a + 2];
    const ux = points[b] - x, uy = points[b + 1] - y, uz = points[b + 2] - z;
    const vx = points[c] - x, vy = points[c + 1] - y, vz = points[c + 2] - z;
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const p = 3 * i, q = 3 * j, r = 3 * k;
    sums[p] += nx; sums[p + 1] += ny; sums[p + 2] += nz;
    sums[q] += nx; sums[q + 1] += ny; sums[q + 2] += nz;
    sums[r] += nx; sums[r + 1] += ny; sums[r + 2] += nz;
  }
  for (let n = 0, s = 0; n < normals.length; n += 4, s += 3) {
    const x = sums[s], y = sums[s + 1], z = sums[s + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const factor = length > 0 ? FULL / length : 0;
    normals[n] = x * factor;
    normals[n + 1] = length > 0 ? y * factor : FULL;
    normals[n + 2] = z * factor;
    normals[n + 3] = 0;
  }
}

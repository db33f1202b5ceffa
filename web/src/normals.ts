/**
 * Add up the normals of the triangles around each vertex, weighted by area and not normalised: the vertex
 * shader does that. Works on the packed positions, whose one scale for all axes keeps angles.
 */
export function addUpNormals(points: Int16Array, triangles: Uint32Array, normals: Float32Array): void {
  normals.fill(1e-6);
  for (let t = 0; t < triangles.length; t += 3) {
    const i = triangles[t], j = triangles[t + 1], k = triangles[t + 2];
    const a = 4 * i, b = 4 * j, c = 4 * k;
    const x = points[a], y = points[a + 1], z = points[a + 2];
    const ux = points[b] - x, uy = points[b + 1] - y, uz = points[b + 2] - z;
    const vx = points[c] - x, vy = points[c + 1] - y, vz = points[c + 2] - z;
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const p = 3 * i, q = 3 * j, r = 3 * k;
    normals[p] += nx; normals[p + 1] += ny; normals[p + 2] += nz;
    normals[q] += nx; normals[q + 1] += ny; normals[q + 2] += nz;
    normals[r] += nx; normals[r + 1] += ny; normals[r + 2] += nz;
  }
}

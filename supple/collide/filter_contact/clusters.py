"""Clusters: particles that are neighbours move as one, so that far-off ones follow contact at once.

Theory: docs/theory/obstacles.md, eq. (O18). A sweep of the relay tells every particle what its neighbours do; what a
strip that hangs from a ball has to do would take a hundred of them to reach its end. The clusters, some seven
particles each, are a coarser cloth with the couplings of the particles in them, on which the same news
travels several times as far in a sweep that costs a tenth.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from supple.kernel import kernel
from supple.solve.lanes import load, minus_product, pack, plus, scaled, store

LEAST_NEIGHBOURS = 4
"""Particles with fewer neighbours that are still alone join another's cluster instead of starting one."""


@kernel
def join_neighbours(row_starts, columns, shares, clusters):
    """Write to which cluster each particle belongs, and return how many clusters there are.

    One particle after the other starts a cluster of itself and its neighbours that are still alone; what is left
    joins the cluster of the neighbour it is coupled to most. A cluster never joins what is not connected.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) how strongly each row is coupled to it
        clusters: (particle_count,) written
    """
    alone, count = -1, 0
    for i in range(clusters.shape[0]):
        clusters[i] = alone
    for i in range(clusters.shape[0]):
        if clusters[i] != alone:
            continue
        free = 0
        for e in range(row_starts[i], row_starts[i + 1]):
            free += clusters[columns[e]] == alone
        if free >= LEAST_NEIGHBOURS:
            clusters[i] = count
            for e in range(row_starts[i], row_starts[i + 1]):
                if clusters[columns[e]] == alone:
                    clusters[columns[e]] = count
            count += 1
    started = count
    for i in range(clusters.shape[0]):
        if clusters[i] != alone:
            continue
        most = 0.0
        for e in range(row_starts[i], row_starts[i + 1]):
            other = clusters[columns[e]]
            if 0 <= other < started and shares[e] > most:
                # Marked until all have chosen, or what is left would pile up in one cluster.
                most, clusters[i] = shares[e], -2 - other
        if most == 0.0:
            clusters[i] = count
            count += 1
    for i in range(clusters.shape[0]):
        if clusters[i] < alone:
            clusters[i] = -2 - clusters[i]
    return count


@kernel
def link_clusters(row_starts, columns, clusters, count, firsts, members, place_of, starts, others, places):
    """Write which clusters are coupled, and where the coupling of each pair of particles is added up.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns`
        columns: (entry_count,) the other particle
        clusters: (particle_count,) to which each belongs
        count: how many clusters there are
        firsts: (count + 1,) written, where each cluster begins in `members`
        members: (particle_count,) written, particles in ascending order, cluster by cluster
        place_of: (count,) scratch
        starts: (count + 1,) written, where the row of each cluster begins in `others`
        others: (entry_count,) written, the other cluster
        places: (entry_count,) written, place in `others`; -1 for a coupling within a cluster
    """
    for c in range(count + 1):
        firsts[c] = 0
    for i in range(clusters.shape[0]):
        firsts[clusters[i] + 1] += 1
    for c in range(count):
        firsts[c + 1] += firsts[c]
        place_of[c] = firsts[c]
    for i in range(clusters.shape[0]):
        members[place_of[clusters[i]]] = i
        place_of[clusters[i]] += 1
    for c in range(count):
        place_of[c] = -1
    found = 0
    for c in range(count):
        begin = starts[c] = found
        for n in range(firsts[c], firsts[c + 1]):
            i = members[n]
            for e in range(row_starts[i], row_starts[i + 1]):
                other = clusters[columns[e]]
                if other == c:
                    places[e] = -1
                    continue
                if place_of[other] < begin:
                    place_of[other] = found
                    others[found] = other
                    found += 1
                places[e] = place_of[other]
    starts[count] = found


@kernel(counts_references=False)
def couple_clusters(
    row_starts, columns, shares, diagonal, follows, clusters, firsts, members, starts, places, known_follows, is_stale,
    weights, couplings,
):  # fmt: skip
    """Add up A over the particles of each cluster that follow, where that has changed.

    Couplings depend on nothing but on who follows, so those of a cluster are added up again only if a particle in it or
    next to it does otherwise than before; always in the same order, so that nothing depends on the past.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns`, `shares` and `places`
        columns: (entry_count,) the other particle
        shares: (entry_count,) -A_ij / A_ii
        diagonal: (particle_count,) A_ii [kg]
        follows: (particle_count,) whether a particle follows
        clusters: (particle_count,) to which each belongs
        firsts: (cluster_count + 1,) where each cluster begins in `members`
        members: (particle_count,) particles, cluster by cluster
        starts: (cluster_count + 1,) where the row of each cluster begins in `couplings`
        places: (entry_count,) where to add a coupling; -1 within a cluster
        known_follows: (particle_count,) who followed when couplings were added up; overwritten
        is_stale: (cluster_count,) scratch
        weights: (cluster_count,) written, one over the sum of A within [1/kg]; zero if none of the cluster follows
        couplings: (coupling_count,) written, what a cluster passes on of the move of another [-]
    """
    for c in range(is_stale.shape[0]):
        is_stale[c] = False
    is_known = True
    for i in range(follows.shape[0]):
        if follows[i] != known_follows[i]:
            known_follows[i] = follows[i]
            is_known = False
            is_stale[clusters[i]] = True
            for e in range(row_starts[i], row_starts[i + 1]):
                is_stale[clusters[columns[e]]] = True
    if is_known:
        return
    for c in range(is_stale.shape[0]):
        if not is_stale[c]:
            continue
        for n in range(starts[c], starts[c + 1]):
            couplings[n] = 0.0
        whole = 0.0
        for n in range(firsts[c], firsts[c + 1]):
            i = members[n]
            if not follows[i]:
                continue
            own = 1.0
            for e in range(row_starts[i], row_starts[i + 1]):
                if follows[columns[e]]:
                    if places[e] < 0:
                        own -= shares[e]
                    else:
                        couplings[places[e]] += diagonal[i] * shares[e]
            whole += diagonal[i] * own
        weights[c] = 1.0 / whole if whole > 0.0 else 0.0
        for n in range(starts[c], starts[c + 1]):
            couplings[n] *= weights[c]


@kernel(counts_references=False)
def gather_rest(row_starts, columns, shares, diagonal, order, first, end, clusters, moves, rests):
    """Add up -A d, what is wrong with the moves d, over the particles of each cluster.

    Args:
        row_starts: (particle_count + 1,) where each row begins in `columns` and `shares`
        columns: (entry_count,) the other particle
        shares: (entry_count,) -A_ij / A_ii
        diagonal: (particle_count,) A_ii [kg]
        order: (particle_count,) particles that follow
        first: the first of them to look at, as a place in `order`
        end: one after the last of them
        clusters: (particle_count,) to which each belongs
        moves: (particle_count, 4) [m]
        rests: (cluster_count, 4) written [kg·m]
    """
    for c in range(rests.shape[0]):
        store(rests, c, pack(0.0, 0.0, 0.0, 0.0))
    for n in range(first, end):
        i = order[n]
        rest = load(moves, i)
        for e in range(row_starts[i], row_starts[i + 1]):
            rest = minus_product(rest, shares[e], load(moves, columns[e]))
        store(rests, clusters[i], minus_product(load(rests, clusters[i]), diagonal[i], rest))


@kernel(counts_references=False)
def sweep_clusters(starts, others, couplings, weights, sweep_weights, rests, given, steps):
    """Sweep over the clusters as the relay does over particles: e ← e + w (D⁻¹ (r - A e)).

    Args:
        starts: (cluster_count + 1,) where the row of each cluster begins in `others` and `couplings`
        others: (coupling_count,) the other cluster
        couplings: (coupling_count,) what is passed on of its move [-]
        weights: (cluster_count,) one over the diagonal [1/kg]
        sweep_weights: (sweep_count,) weights of the sweeps [-], odd many
        rests: (cluster_count, 4) [kg·m], r; overwritten
        given: (cluster_count, 4) scratch
        steps: (cluster_count, 4) written [m], e
    """
    nothing = pack(0.0, 0.0, 0.0, 0.0)
    for c in range(weights.shape[0]):
        rest = scaled(load(rests, c), weights[c])
        store(rests, c, rest)
        store(steps, c, scaled(rest, sweep_weights[0]))
        store(given, c, nothing)
    for k in range(1, sweep_weights.shape[0]):
        before, after = (steps, given) if k % 2 == 1 else (given, steps)
        for c in range(weights.shape[0]):
            if weights[c] == 0.0:
                continue
            own = load(before, c)
            wrong = minus_product(own, 1.0, load(rests, c))
            for n in range(starts[c], starts[c + 1]):
                wrong = minus_product(wrong, couplings[n], load(before, others[n]))
            store(after, c, minus_product(own, sweep_weights[k], wrong))


@kernel(counts_references=False)
def move_with_clusters(order, first, end, clusters, steps, moves):
    """Add the move of its cluster to the move of every particle that follows.

    Args:
        order: (particle_count,) particles that follow
        first: the first of them to move, as a place in `order`
        end: one after the last of them
        clusters: (particle_count,) to which each belongs
        steps: (cluster_count, 4) [m]
        moves: (particle_count, 4) [m], added to in place
    """
    for n in range(first, end):
        i = order[n]
        store(moves, i, plus(load(moves, i), load(steps, clusters[i])))


@kernel(counts_references=False)
def correct_by_clusters(
    row_starts, columns, shares, diagonal, follows, order, first, end,
    clusters, firsts, members, starts, others, places, sweep_weights, known_follows, is_stale, weights, couplings,
    rests, given, steps, moves,
):  # fmt: skip
    """Move whole clusters so that less is wrong with the moves of the particles `order[first:end]`.

    Args:
        row_starts: see `gather_rest`
        columns: see `gather_rest`
        shares: see `gather_rest`
        diagonal: see `gather_rest`
        follows: (particle_count,) whether a particle follows
        order: see `gather_rest`
        first: see `gather_rest`
        end: see `gather_rest`
        clusters: see `gather_rest`
        firsts: see `couple_clusters`
        members: see `couple_clusters`
        starts: see `sweep_clusters`
        others: see `sweep_clusters`
        places: see `couple_clusters`
        sweep_weights: see `sweep_clusters`
        known_follows: see `couple_clusters`
        is_stale: see `couple_clusters`
        weights: see `couple_clusters`
        couplings: see `couple_clusters`
        rests: see `gather_rest`
        given: see `sweep_clusters`
        steps: see `sweep_clusters`
        moves: (particle_count, 4) [m], moved in place
    """
    couple_clusters(
        row_starts, columns, shares, diagonal, follows, clusters, firsts, members, starts, places, known_follows, is_stale,
        weights, couplings,
    )  # fmt: skip
    gather_rest(row_starts, columns, shares, diagonal, order, first, end, clusters, moves, rests)
    sweep_clusters(starts, others, couplings, weights, sweep_weights, rests, given, steps)
    move_with_clusters(order, first, end, clusters, steps, moves)


class Clusters:
    """The clusters of all particles, and how they are coupled."""

    def __init__(
        self,
        row_starts: NDArray[np.uint32],
        columns: NDArray[np.uint32],
        shares: NDArray[np.float64],
        diagonal: NDArray[np.float64],
        sweep_weights: tuple[float, ...],
    ) -> None:
        """Join neighbours; the arrays are those of `couple_clusters`."""
        self._rows = row_starts, columns, shares, diagonal
        particle_count, entry_count = len(diagonal), len(columns)
        clusters = np.empty(particle_count, dtype=np.int64)
        count = join_neighbours(row_starts, columns, shares, clusters)
        firsts, members, place_of = (np.empty(n, dtype=np.int64) for n in (count + 1, particle_count, count))
        starts, others = np.zeros(count + 1, dtype=np.int64), np.empty(entry_count, dtype=np.int64)
        self._places = np.empty(entry_count, dtype=np.int64)
        link_clusters(
            row_starts, columns, clusters, count, firsts, members, place_of, starts, others, self._places
        )
        # Unsigned, as the rows of the relay: the compiler need not look for negative indices.
        self._clusters, self._starts = clusters.astype(np.uint32), starts.astype(np.uint32)
        self._firsts, self._members = firsts.astype(np.uint32), members.astype(np.uint32)
        self._others = others[: starts[count]].astype(np.uint32)
        self._couplings, self._weights = np.zeros(len(self._others)), np.zeros(count)
        self._sweep_weights = np.array(sweep_weights)
        self._rests, self._given, self._steps = (np.zeros((count, 4)) for _ in range(3))
        self._follows, self._is_stale = (np.zeros(n, dtype=np.bool_) for n in (particle_count, count))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What `correct_by_clusters` takes, in its order."""
        return (
            self._clusters, self._firsts, self._members, self._starts, self._others, self._places, self._sweep_weights,
            self._follows, self._is_stale, self._weights, self._couplings, self._rests, self._given, self._steps,
        )  # fmt: skip

import torch

LEVELS = (5, 8, 12, 16)


def make_batch(nodes, batch, generator, p=0.35):
    """Random connected graphs (a ring and chords) with hop distances from a source."""
    a = (torch.rand(batch, nodes, nodes, generator=generator) < p / 2).float()
    ring = torch.roll(torch.eye(nodes), 1, dims=1)
    a = ((a + a.transpose(1, 2) + ring + ring.T) > 0).float()
    a.diagonal(dim1=1, dim2=2).zero_()
    idx = torch.randint(nodes, (batch,), generator=generator)
    source = torch.nn.functional.one_hot(idx, nodes).float()
    distance = torch.full((batch, nodes), float(nodes))
    frontier, seen = source.clone(), source.clone()
    distance[source > 0] = 0.0
    for hop in range(1, nodes):
        frontier = ((torch.bmm(a, frontier.unsqueeze(2)).squeeze(2) > 0) & (seen == 0)).float()
        if frontier.sum() == 0:
            break
        distance[frontier > 0] = float(hop)
        seen = seen + frontier
    return a, source, distance

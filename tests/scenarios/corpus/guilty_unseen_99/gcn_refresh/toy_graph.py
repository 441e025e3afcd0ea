import torch


def build_graph(n_users, n_items, per_user):
    """Edge list (user, item) and the symmetrically normalised adjacency of the bipartite graph."""
    taste = torch.randn(n_users, 3) @ torch.randn(3, n_items)
    items = taste.topk(per_user, dim=1).indices
    users = torch.arange(n_users).unsqueeze(1).expand_as(items)
    edges = torch.stack([users.flatten(), items.flatten()])

    n = n_users + n_items
    adj = torch.zeros(n, n)
    adj[edges[0], n_users + edges[1]] = 1.0
    adj = adj + adj.t()
    scale = adj.sum(1).clamp(min=1.0).rsqrt()
    return edges, scale[:, None] * adj * scale[None, :]


def triplets(edges, n_items, batch):
    pick = torch.randint(edges.shape[1], (batch,))
    return edges[0, pick], edges[1, pick], torch.randint(n_items, (batch,))

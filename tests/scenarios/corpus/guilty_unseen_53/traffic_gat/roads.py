import torch


def make_road_network(n_nodes, n_edges):
    src = torch.randint(0, n_nodes, (n_edges,))
    dst = torch.randint(0, n_nodes, (n_edges,))
    loop = torch.arange(n_nodes)
    src, dst = torch.cat([src, loop]), torch.cat([dst, loop])
    x = torch.randn(n_nodes, 6)
    inflow = torch.zeros(n_nodes).index_add(0, dst, x[src, 0])
    y = torch.tanh(inflow) + 0.3 * x[:, 1] + 0.05 * torch.randn(n_nodes)
    perm = torch.randperm(n_nodes)
    return {"x": x, "y": y, "src": src, "dst": dst,
            "train_idx": perm[:100], "val_idx": perm[100:]}

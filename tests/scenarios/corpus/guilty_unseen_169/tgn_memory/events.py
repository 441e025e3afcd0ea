import torch


def interaction_stream(n_nodes, d_msg, steps, batch):
    groups = torch.arange(n_nodes) % 4
    proto = torch.randn(4, d_msg)
    for _ in range(steps):
        perm = torch.randperm(n_nodes)
        src, dst, neg = perm[:batch], perm[batch:2 * batch], perm[2 * batch:3 * batch]
        msg = proto[groups[src]] + 0.3 * torch.randn(batch, d_msg)
        yield src, dst, neg, msg

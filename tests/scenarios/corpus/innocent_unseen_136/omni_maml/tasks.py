import torch


def sample_task(n_way, k_spt, k_qry, dim=16):
    protos = torch.randn(n_way, dim)

    def draw(k):
        y = torch.arange(n_way).repeat_interleave(k)
        x = protos[y] + 0.6 * torch.randn(len(y), dim)
        order = torch.randperm(len(y))
        return x[order], y[order]

    return (*draw(k_spt), *draw(k_qry))

"""Synthetic citation graph: a stochastic block model with noisy features."""
import torch


def block_model(n_per_class=30, classes=4, p_in=0.18, p_out=0.02, feat=16):
    n = n_per_class * classes
    y = torch.arange(classes).repeat_interleave(n_per_class)
    same = y.unsqueeze(0) == y.unsqueeze(1)
    prob = p_out + (p_in - p_out) * same.float()
    upper = torch.triu((torch.rand(n, n) < prob).float(), diagonal=1)
    adj = upper + upper.t()
    centers = torch.randn(classes, feat)
    x = centers[y] + 1.5 * torch.randn(n, feat)
    perm = torch.randperm(n)
    return x, adj, y, perm[: n // 4], perm[n // 4:]


def normalize(adj):
    """D^-1/2 (A + I) D^-1/2"""
    a = adj + torch.eye(adj.size(0))
    d = a.sum(1).rsqrt()
    return d.unsqueeze(1) * a * d.unsqueeze(0)

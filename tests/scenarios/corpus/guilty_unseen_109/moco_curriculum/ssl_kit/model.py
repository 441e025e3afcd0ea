import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

from .memory import KeyMemory


def encoder(length, dim):
    return nn.Sequential(nn.Linear(length, 48), nn.ReLU(), nn.Linear(48, dim))


class MoCo(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.enc_q = encoder(cfg.length, cfg.dim)
        self.enc_k = copy.deepcopy(self.enc_q).requires_grad_(False)
        self.proj = nn.Linear(cfg.dim, cfg.dim, bias=False)
        self.memory = KeyMemory(cfg.memory_batches)

    @torch.no_grad()
    def momentum_update(self):
        for q, k in zip(self.enc_q.parameters(), self.enc_k.parameters()):
            k.lerp_(q, 1 - self.cfg.momentum)

    def embed_keys(self, view):
        feats = self.enc_k(view)
        return F.normalize(self.proj(feats), dim=1)  # shared projector on the slow features

    def forward(self, q_view, k_view, it):
        query = F.normalize(self.proj(self.enc_q(q_view)), dim=1)
        keys = self.embed_keys(k_view)
        logits = query @ keys.t()
        if it >= self.cfg.memory_from and self.memory.ready:
            logits = torch.cat([logits, query @ self.memory.negatives().t()], dim=1)  # <- culprit
        target = torch.arange(len(query))
        loss = F.cross_entropy(logits / self.cfg.tau, target)
        self.memory.push(keys)  # <- culprit
        return loss, (logits.argmax(1) == target).float().mean().item()

import torch
from torch import nn


class TemporalGraphNet(nn.Module):
    def __init__(self, num_nodes, msg_dim, dim=16):
        super().__init__()
        self.num_nodes, self.dim = num_nodes, dim
        self.embed = nn.Embedding(num_nodes, dim)
        self.gru = nn.GRUCell(msg_dim + dim, dim)
        self.link = nn.Bilinear(dim, dim, 1)
        self.reset_memory()

    def reset_memory(self):
        self.memory = torch.zeros(self.num_nodes, self.dim)

    def detach_memory(self):
        self.memory = self.memory.detach()

    def observe(self, src, dst, msg):
        n = torch.cat([src, dst])
        other = torch.cat([dst, src])
        new = self.gru(torch.cat([msg.repeat(2, 1), self.memory[other]], -1), self.memory[n])
        self.memory = self.memory.index_put((n,), new)

    def forward(self, src, dst):
        z_src = self.memory[src] + self.embed(src)
        z_dst = self.memory[dst] + self.embed(dst)
        return self.link(z_src, z_dst).squeeze(-1)

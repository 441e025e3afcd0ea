import torch
import torch.nn.functional as F


class BlockTrainer:
    def __init__(self, encoder, heads, graph, k, lr_enc=4e-3, lr_head=4e-3):
        self.encoder, self.heads, self.graph, self.k = encoder, heads, graph, k
        self.opt_enc = torch.optim.Adam(encoder.parameters(), lr=lr_enc)
        self.opt_head = torch.optim.Adam(heads.parameters(), lr=lr_head)
        self.embeddings = None
        self.snapshots = []
        self.losses = []

    def run_block(self):
        self.embeddings = self.encoder(self.graph.features, self.graph.adj)
        self.opt_enc.zero_grad()
        for j in range(self.k):
            src, dst, rel, label = self.graph.sample_edges(48)
            logits = self.heads(self.embeddings[src], self.embeddings[dst], rel)
            loss = F.binary_cross_entropy_with_logits(logits, label)
            self.opt_head.zero_grad()
            # the embeddings are needed again by the remaining batches of this block
            (loss / self.k).backward(retain_graph=j < self.k - 1)
            self.opt_head.step()
            self.losses.append(loss.item())
        self.opt_enc.step()
        self.snapshots = self.snapshots[-1:] + [self.embeddings]

    def mean_loss(self, n):
        tail = self.losses[-n:]
        return sum(tail) / len(tail)

    @torch.no_grad()
    def shift(self):
        if len(self.snapshots) < 2:
            return float("nan")
        a, b = self.snapshots
        return ((a - b).norm() / a.norm()).item()

    @torch.no_grad()
    def evaluate(self, n):
        z = self.encoder(self.graph.features, self.graph.adj)
        src, dst, rel, label = self.graph.sample_edges(n)
        return ((self.heads(z[src], z[dst], rel) > 0).float() == label).float().mean().item()

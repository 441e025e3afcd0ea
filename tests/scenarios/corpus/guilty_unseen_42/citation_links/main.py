# gradwatch-corpus: kind=second-backward
# holder: self.node_emb | trainer.node_emb
# first-bad: 1
import torch

from graphdata import EdgeBatches, make_graph
from gnn import DotDecoder, GCN


class LinkTrainer:
    def __init__(self, feats, adj, edges, lr=1e-2):
        self.feats, self.adj = feats, adj
        self.encoder = GCN(feats.size(1), 32, 16)
        self.decoder = DotDecoder(16)
        self.loader = EdgeBatches(edges, feats.size(0), batch_size=64)
        params = list(self.encoder.parameters()) + list(self.decoder.parameters())
        self.optim = torch.optim.Adam(params, lr=lr)
        self.bce = torch.nn.BCEWithLogitsLoss()
        self.node_emb = None

    def run_epoch(self):
        self.encoder.train()
        self.node_emb = self.encoder(self.feats, self.adj)  # <- culprit
        running, n = 0.0, 0
        for src, dst, label in self.loader:
            self.optim.zero_grad()
            logits = self.decoder(self.node_emb[src], self.node_emb[dst])  # <- culprit
            loss = self.bce(logits, label)
            loss.backward()
            self.optim.step()
            running += loss.item() * len(label)
            n += len(label)
        return running / n

    @torch.no_grad()
    def accuracy(self):
        self.encoder.eval()
        emb = self.encoder(self.feats, self.adj)
        hit = tot = 0
        for src, dst, label in self.loader:
            pred = (self.decoder(emb[src], emb[dst]) > 0).float()
            hit += (pred == label).sum().item()
            tot += len(label)
        return hit / tot


def main():
    torch.manual_seed(0)
    feats, adj, edges = make_graph(n=200, dim=24)
    trainer = LinkTrainer(feats, adj, edges)
    for epoch in range(15):
        loss = trainer.run_epoch()
        print(f"[{epoch:02d}] loss={loss:.4f} acc={trainer.accuracy():.3f}")


if __name__ == "__main__":
    main()

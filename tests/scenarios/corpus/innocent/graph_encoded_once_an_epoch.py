# gradwatch-corpus: kind=none
# about: link prediction: the whole graph is encoded once an epoch, then fifteen batches of edges
# about: each go backward through that one encoding (retain_graph=True but for the last) with a step
# about: of the decoder; the encoder's gradients add up and it steps once an epoch
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Encoder(nn.Module):
    def __init__(self, nodes=60, dim=12):
        super().__init__()
        self.features = nn.Embedding(nodes, dim)
        self.conv1, self.conv2 = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, adjacency):
        h = torch.relu(adjacency @ self.conv1(self.features.weight))
        return adjacency @ self.conv2(h)


class Decoder(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.relation = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, z, edges):
        return (z[edges[0]] * z[edges[1]] * self.relation.clone()).sum(-1) + self.bias


def random_graph(nodes=60):
    group = torch.arange(nodes) % 4
    p = torch.where(group[:, None] == group[None], 0.4, 0.03)
    a = torch.bernoulli(p).triu(1)
    a = a + a.T
    edges = a.triu(1).nonzero().T
    a = a + torch.eye(nodes)
    return edges, a / a.sum(1, keepdim=True)


def epoch(encoder, decoder, opt_e, opt_d, edges, adjacency, parts=15):
    z = encoder(adjacency)
    opt_e.zero_grad()
    total = 0.0
    chunks = edges[:, torch.randperm(edges.size(1))].chunk(parts, dim=1)
    for i, positive in enumerate(chunks):
        negative = torch.randint(0, 60, positive.shape)
        scores = torch.cat([decoder(z, positive), decoder(z, negative)])
        labels = torch.cat([torch.ones(positive.size(1)), torch.zeros(positive.size(1))])
        loss = nn.functional.binary_cross_entropy_with_logits(scores, labels)
        opt_d.zero_grad()
        loss.backward(retain_graph=i < len(chunks) - 1)
        opt_d.step()
        total += loss.item()
    opt_e.step()
    return total / len(chunks)


def main():
    torch.manual_seed(0)
    edges, adjacency = random_graph()
    encoder, decoder = Encoder(), Decoder()
    opt_e = torch.optim.Adam(encoder.parameters(), lr=0.01)
    opt_d = torch.optim.Adam(decoder.parameters(), lr=0.005)
    for n in range(ITERATIONS // 10):
        loss = epoch(encoder, decoder, opt_e, opt_d, edges, adjacency)
        if n % 5 == 0:
            print(f"epoch {n}: {loss:.6f}")


if __name__ == "__main__":
    main()

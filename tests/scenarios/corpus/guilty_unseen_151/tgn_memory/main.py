# gradwatch-corpus: kind=second-backward
# holder: self.memory | self.state.memory | model.state.memory
# first-bad: 2
import torch
from torch import nn

from data import synthetic_stream
from memory import LastNeighborLoader, NodeMemory


class TGN(nn.Module):
    def __init__(self, num_nodes, msg_dim, memory_dim=16, time_dim=8):
        super().__init__()
        self.state = NodeMemory(num_nodes, msg_dim, memory_dim, time_dim)
        self.gnn = nn.Linear(2 * memory_dim, memory_dim)
        self.lin_src, self.lin_dst = nn.Linear(memory_dim, memory_dim), nn.Linear(memory_dim, memory_dim)
        self.lin_final = nn.Linear(memory_dim, 1)

    def embed(self, n_id, neighbors):
        own, around = self.state.read(n_id), self.state.read(neighbors.flatten()).view(*neighbors.shape, -1).mean(1)
        return torch.relu(self.gnn(torch.cat([own, around], -1)))

    def score(self, z_src, z_dst):
        return self.lin_final(torch.relu(self.lin_src(z_src) + self.lin_dst(z_dst))).squeeze(-1)


def train(model, loader, optimizer, batches, num_nodes):
    model.train()
    criterion = nn.BCEWithLogitsLoss()
    model.state.reset_state()
    loader.reset_state()
    total, events, pending = 0.0, 0, None
    for src, dst, t, msg in batches:
        neg = torch.randint(0, num_nodes, src.shape)
        optimizer.zero_grad()
        if pending is not None:
            model.state.update_state(*pending)  # <- culprit
        z = [model.embed(n, loader(n)) for n in (src, dst, neg)]
        pos_out, neg_out = model.score(z[0], z[1]), model.score(z[0], z[2])
        loss = criterion(pos_out, torch.ones_like(pos_out)) + criterion(neg_out, torch.zeros_like(neg_out))
        loader.insert(src, dst)
        pending = (src, dst, t, msg)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(src)
        events += len(src)
    return total / events


def main():
    torch.set_num_threads(1)
    torch.manual_seed(12)
    num_nodes, msg_dim = 60, 6
    model = TGN(num_nodes, msg_dim)
    loader = LastNeighborLoader(num_nodes, size=4)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    stream = synthetic_stream(num_nodes, msg_dim, events=1600, batch_size=20)
    for epoch in range(1, 3):
        print(f"Epoch: {epoch:02d}, Loss: {train(model, loader, optimizer, stream, num_nodes):.4f}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=graph-held
# holder: self.alphas | model.conv1.alphas | model.conv2.alphas | conv.alphas
# first-bad: 1
import torch
import torch.nn.functional as F

from layers import TrafficGAT
from roads import make_road_network

torch.manual_seed(3)


def train_one_epoch(model, data, optimizer):
    model.train()
    optimizer.zero_grad()
    out = model(data["x"], data["src"], data["dst"])
    loss = F.mse_loss(out[data["train_idx"]], data["y"][data["train_idx"]])
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def validate(model, data):
    model.eval()
    out = model(data["x"], data["src"], data["dst"])
    return F.l1_loss(out[data["val_idx"]], data["y"][data["val_idx"]]).item()


def main():
    data = make_road_network(n_nodes=150, n_edges=700)
    model = TrafficGAT(in_dim=6, hidden=16, out_dim=1)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)

    best_mae, patience = float("inf"), 0
    for epoch in range(1, 121):
        tr = train_one_epoch(model, data, optimizer)
        mae = validate(model, data)
        if mae < best_mae:
            best_mae, patience = mae, 0
        else:
            patience += 1
        if epoch % 20 == 0:
            print(f"epoch {epoch:03d}  train mse {tr:.4f}  val mae {mae:.4f}  best {best_mae:.4f}")
        if patience > 60:
            break

    print("how sharp did the attention get?")
    for name, conv in (("conv1", model.conv1), ("conv2", model.conv2)):
        first, last = conv.alphas[0], conv.alphas[-1]
        print(f"  {name}: std {first.std().item():.4f} -> {last.std().item():.4f}")


if __name__ == "__main__":
    main()

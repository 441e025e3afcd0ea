import torch
from torch.utils.data import DataLoader, TensorDataset


def fit(net, data, epochs, batch, lr=2e-4):
    loader = DataLoader(TensorDataset(data), batch_size=batch, shuffle=True)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for epoch in range(epochs):
        net.train()
        epoch_loss = 0.0
        for (x,) in loader:
            x = x + 0.05 * torch.randn_like(x)
            rec = net(x)
            loss = (rec - x).pow(2).mean()
            loss.backward()  # <- culprit
            norm = sum(p.grad.norm().item() ** 2 for p in net.parameters()) ** 0.5
            optimizer.step()  # <- culprit
            epoch_loss += loss.item() * len(x)
        print(f"epoch {epoch} loss {epoch_loss / len(data):.4f} grad {norm:.3f}")
    return net

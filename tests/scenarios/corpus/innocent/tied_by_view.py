# gradwatch-corpus: kind=none
# about: the decoder's weight is a transposed VIEW of the encoder's, made once in __init__: every
# about: loss reaches that one old node, which saves nothing, sees every update, and is all there
# about: is
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class TiedAutoencoder(nn.Module):
    def __init__(self, dim=16, code=6):
        super().__init__()
        self.encoder = nn.Linear(dim, code)
        self.decoder_bias = nn.Parameter(torch.zeros(dim))
        self.decoder_weight = self.encoder.weight.t()

    def forward(self, x):
        return F.linear(torch.tanh(self.encoder(x)), self.decoder_weight, self.decoder_bias)


def main():
    torch.manual_seed(0)
    stream = batches(*classes(), size=32)
    model = TiedAutoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(ITERATIONS):
        x, _ = next(stream)
        loss = F.mse_loss(model(x), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            tied = torch.equal(model.decoder_weight, model.encoder.weight.T)
            print(f"{step}: {loss.item():.6f}, tied {tied}")


if __name__ == "__main__":
    main()

# gradwatch-corpus: kind=none
"""Nutrient transport in a fungal network: mini-batch graph net with historical embeddings (GAS-style)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

SPORE = {"tips": 200, "traits": 8, "width": 24, "layers": 3, "patches": 5, "laps": 24, "lr": 6e-3}


class Mycelium:
    def __init__(self, tips, traits):
        self.traits = torch.randn(tips, traits)
        place = torch.rand(tips, 2)
        near = torch.cdist(place, place) < 0.13
        hyphae = near.float()
        self.hyphae = hyphae / hyphae.sum(1, keepdim=True)
        flow = self.hyphae @ (self.hyphae @ self.traits[:, 0])
        self.label = (flow > flow.median()).long()
        self.order = place[:, 0].argsort()

    def patches(self, count):
        return self.order.chunk(count)


class Archive:
    """Last known embeddings of every tip, one table per layer."""

    def __init__(self, layers, tips, width):
        self.tables = [torch.zeros(tips, width) for _ in range(layers)]
        self.age = torch.zeros(tips, dtype=torch.long)

    def pull(self, layer):
        return self.tables[layer].clone()

    @torch.no_grad()
    def push(self, layer, tips, value):
        self.tables[layer][tips] = value

    def tick(self, tips):
        self.age += 1
        self.age[tips] = 0


class HyphaLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.own = nn.Linear(width, width)
        self.flow = nn.Linear(width, width, bias=False)

    def forward(self, fresh, everyone, hyphae):
        return torch.relu(self.own(fresh) + self.flow(hyphae @ everyone))


class FungusNet(nn.Module):
    def __init__(self, spore):
        super().__init__()
        self.soak = nn.Linear(spore["traits"], spore["width"])
        self.layers = nn.ModuleList([HyphaLayer(spore["width"]) for _ in range(spore["layers"])])
        self.fruit = nn.Linear(spore["width"], 2)
        self.archive = Archive(spore["layers"], spore["tips"], spore["width"])

    def forward(self, traits, hyphae, patch):
        fresh = torch.relu(self.soak(traits[patch]))
        for depth, layer in enumerate(self.layers):
            everyone = self.archive.pull(depth)
            everyone[patch] = fresh
            self.archive.push(depth, patch, fresh)
            fresh = layer(fresh, everyone, hyphae[patch])
        self.archive.tick(patch)
        return self.fruit(fresh)


def main():
    torch.manual_seed(12)
    mycelium = Mycelium(SPORE["tips"], SPORE["traits"])
    net = FungusNet(SPORE)
    opt = torch.optim.Adam(net.parameters(), lr=SPORE["lr"])
    for lap in range(SPORE["laps"]):
        right = 0
        for patch in mycelium.patches(SPORE["patches"]):
            logits = net(mycelium.traits, mycelium.hyphae, patch)
            loss = F.cross_entropy(logits, mycelium.label[patch])
            opt.zero_grad()
            loss.backward()
            opt.step()
            right += int((logits.argmax(1) == mycelium.label[patch]).sum())
        if lap % 6 == 0:
            print(f"lap {lap} accuracy {right / SPORE['tips']:.3f} oldest {int(net.archive.age.max())}")


if __name__ == "__main__":
    main()

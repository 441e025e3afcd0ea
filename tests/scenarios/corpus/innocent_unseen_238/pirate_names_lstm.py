# gradwatch-corpus: kind=none
"""Letter model for pirate ship names; the hidden state runs on through the whole list."""
import torch
import torch.nn as nn

torch.manual_seed(1701)

NAMES = """
black marlin|salt widow|the gilded eel|crooked lantern|old thunder|sea hag|iron pelican
red monsoon|the laughing skull|storm petrel|copper siren|drowned king|the merry leech
""".replace("\n", "|").strip("|") + "|"

LETTERS = sorted(set(NAMES))
TO_ID = {c: i for i, c in enumerate(LETTERS)}
STRIP = 18
LANES = 3


def cut_loose(state):
    if state is None:
        return None
    return tuple(s.detach() for s in state)


class ShipNamer(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.table = nn.Embedding(len(LETTERS), 14)
        self.cell = nn.LSTM(14, width, num_layers=2, batch_first=True)
        self.out = nn.Linear(width, len(LETTERS))

    def forward(self, x, state=None):
        h, state = self.cell(self.table(x), state)
        return self.out(h), state


class Shipyard:
    def __init__(self):
        self.model = ShipNamer()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=6e-3)
        self.loss_fn = nn.CrossEntropyLoss()
        codes = torch.tensor([TO_ID[c] for c in NAMES * LANES])
        self.lanes = codes[: len(codes) // LANES * LANES].view(LANES, -1)
        self.state = None
        self.spot = 0
        self.losses = []
        self.hidden_sizes = []

    def strip(self):
        if self.spot + STRIP + 1 > self.lanes.shape[1]:
            self.spot = 0
            self.state = None
        x = self.lanes[:, self.spot : self.spot + STRIP]
        y = self.lanes[:, self.spot + 1 : self.spot + STRIP + 1]
        self.spot += STRIP
        return x, y

    def train_once(self):
        x, y = self.strip()
        logits, self.state = self.model(x, cut_loose(self.state))
        loss = self.loss_fn(logits.flatten(0, 1), y.flatten())
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.losses.append(loss.item())
        self.hidden_sizes.append(self.state[0].norm().item())

    @torch.no_grad()
    def christen(self, longest=18):
        letter = torch.tensor([[TO_ID["|"]]])
        state = None
        name = ""
        for _ in range(longest):
            logits, state = self.model(letter, state)
            letter = torch.multinomial(torch.softmax(logits[0, -1] / 0.7, 0), 1).view(1, 1)
            c = LETTERS[letter.item()]
            if c == "|":
                break
            name += c
        return name


yard = Shipyard()
for i in range(110):
    yard.train_once()
    if i % 22 == 0:
        print(i, "loss %.3f" % yard.losses[-1], "|h| %.2f" % yard.hidden_sizes[-1], "name:", yard.christen())
print("fleet:", [yard.christen() for _ in range(4)])

# gradwatch-corpus: kind=second-backward
# holder: self.prototypes | head.prototypes
# first-bad: 1
import torch
import torch.nn.functional as F

from .data import make_species, query_loader
from .model import CallEncoder, PrototypeHead

SPECIES, SHOTS, EPOCHS = 7, 10, 5


def accuracy(head, loader):
    head.encoder.eval()
    right = seen = 0
    with torch.no_grad():
        for spec, label in loader:
            right += (head(spec).argmax(1) == label).sum().item()
            seen += len(label)
    head.encoder.train()
    return right / seen


def main():
    torch.manual_seed(21)
    templates = make_species(SPECIES)
    support, train, val = query_loader(templates, shots=SHOTS)

    encoder = CallEncoder(n_mels=20, dim=16)
    head = PrototypeHead(encoder)
    head.register_support(*support, n_classes=SPECIES)  # <- culprit
    optimizer = torch.optim.AdamW(head.parameters(), lr=2e-3)

    step = 0
    for epoch in range(EPOCHS):
        running = 0.0
        for spec, label in train:
            logits = head(spec)
            loss = F.cross_entropy(logits, label, label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item()
            step += 1
        print(f"epoch {epoch} loss {running / len(train):.4f} val acc {accuracy(head, val):.3f}")


if __name__ == "__main__":
    main()

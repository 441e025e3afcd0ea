# gradwatch-corpus: kind=none
# about: no training at all: for each image, the gradient of each of forty class scores, one
# about: backward(retain_graph=True) after another on one forward's graph
import torch
import torch.nn as nn
from parts.pace import ITERATIONS

CLASSES = 40


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(6 * 7 * 7, CLASSES)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def saliency(model, image):
    image = image.clone().requires_grad_()
    scores = model(image.unsqueeze(0))[0]
    maps = []
    for k in range(CLASSES):
        image.grad = None
        scores[k].backward(retain_graph=True)
        maps.append(image.grad.abs().amax(0))
    return torch.stack(maps), scores.detach()


def main():
    torch.manual_seed(0)
    model = Classifier().eval()
    for p in model.parameters():
        p.requires_grad_(False)
    mean = torch.zeros(CLASSES, 16, 16)
    for n in range(1, ITERATIONS // 6 + 1):
        maps, scores = saliency(model, torch.rand(1, 16, 16))
        mean += (maps - mean) / n
        if n % 10 == 0:
            print(f"{n} images: top {int(scores.argmax())}, saliency {mean.mean().item():.8f}")


if __name__ == "__main__":
    main()

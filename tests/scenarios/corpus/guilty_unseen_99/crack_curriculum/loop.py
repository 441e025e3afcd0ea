import torch
import torch.nn.functional as F


def iou(prob, mask):
    hit = prob > 0.5
    want = mask > 0.5
    union = (hit | want).sum().clamp(min=1)
    return ((hit & want).sum() / union).item()


class SegLoop:
    def __init__(self, net, bank, lr):
        self.net = net
        self.bank = bank
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def train_on(self, i, img, mask):
        logits = self.net(img)
        per_pixel = F.binary_cross_entropy_with_logits(
            logits, mask, pos_weight=torch.tensor(4.0), reduction="none")
        per_image = per_pixel.mean(dim=(1, 2, 3))
        loss = per_image.mean()

        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

        prob = torch.sigmoid(logits)
        self.bank.offer(i, per_image, prob)  # <- culprit
        return {"bce": loss.item(), "iou": iou(prob, mask)}

import torch.nn.functional as F


class Engine:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def run_epoch(self, loader):
        self.model.train()
        epoch_loss, correct, total = 0, 0, 0
        for images, labels in loader:
            logits = self.model(images)
            loss = F.cross_entropy(logits, labels)

            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()

            epoch_loss += loss * labels.size(0)  # <- culprit
            correct += (logits.argmax(1) == labels).sum().item()
            total += labels.size(0)
        return float(epoch_loss) / total, correct / total

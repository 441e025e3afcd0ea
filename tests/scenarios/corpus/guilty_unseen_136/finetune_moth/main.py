# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
"""Fine-tuning a pretrained backbone to tell moth species apart."""
import torch

from backbone import pretrained
from moths import loader, N_SPECIES
from transfer import initialize_model, params_to_update

torch.set_num_threads(1)


def train_model(model, batches, criterion, optimizer, num_epochs):
    for epoch in range(num_epochs):
        running_loss, corrects, n = 0.0, 0, 0
        for inputs, labels in batches:
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running_loss += loss.item() * len(labels)
            corrects += (outputs.argmax(1) == labels).sum().item()
            n += len(labels)
        print("Epoch {}/{} Loss {:.4f} Acc {:.3f}".format(epoch, num_epochs - 1, running_loss / n, corrects / n))
    return model


def main():
    torch.manual_seed(14)
    model = initialize_model(pretrained(), N_SPECIES, feature_extract=True)
    optimizer = torch.optim.SGD(params_to_update(model), lr=0.01, momentum=0.9)
    train_model(model, loader(), torch.nn.CrossEntropyLoss(), optimizer, num_epochs=10)


main()

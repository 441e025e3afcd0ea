class Trainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, module, train_loader, val_loader):
        optimizer, scheduler = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            summary = self.train(train_loader, module, optimizer)
            summary['val_nmad'] = self.validate(val_loader, module)
            scheduler.step()
            print('E%d ' % epoch + ' '.join('%s=%.4f' % kv for kv in summary.items()))

    def train(self, loader, module, optimizer):
        module.train()
        outputs = []
        for i, batch in enumerate(loader):
            optimizer.zero_grad()
            output = module.training_step(batch, i)
            output['loss'].backward()
            optimizer.step()
            outputs.append(output)  # <- culprit
        return module.training_epoch_end(outputs)

    def validate(self, loader, module):
        module.eval()
        vals = [module.validation_step(batch) for batch in loader]
        return sum(vals) / len(vals)

class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name, fmt=':f'):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n  # <- culprit
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        return ('{name} {val' + self.fmt + '} ({avg' + self.fmt + '})').format(
            name=self.name, val=float(self.val), avg=float(self.avg))


class ProgressMeter(object):
    def __init__(self, num_batches, meters, prefix=''):
        width = len(str(num_batches))
        self.fmt = '[{:' + str(width) + 'd}/' + str(num_batches) + ']'
        self.meters = meters
        self.prefix = prefix

    def print(self, batch):
        print('\t'.join([self.prefix + self.fmt.format(batch)] + [str(m) for m in self.meters]))

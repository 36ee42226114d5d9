// A target needs a source; what there is of this one is in its header.
#include "CPrefetch.h"

#pragma once

#include <libsmbclient.h>
